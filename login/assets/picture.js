// Makes a small square of the chosen picture, and shows it. A file that the browser cannot read is sent unchanged.

// Pixels per side: sharp where pictures are shown, and far below the server's limit.
const side = 512;
const largest = 400_000;

const input = /** @type {HTMLInputElement | null} */ (document.querySelector("input[type=file]"));
input?.addEventListener("change", () => void square(input));

/**
 * Replaces the chosen file with the middle square of its picture. A form sent before this is done has the original
 * file, which the server checks.
 * @param {HTMLInputElement} input
 */
async function square(input) {
  const [chosen] = input.files ?? [];
  const bitmap = chosen && (await createImageBitmap(chosen).catch(() => undefined));
  if (!bitmap || input.files?.[0] !== chosen) return;
  const canvas = draw(bitmap);
  const file = await smallest(canvas);
  if (!file || input.files?.[0] !== chosen) return;
  const transfer = new DataTransfer();
  transfer.items.add(new File([file], chosen?.name ?? "", { type: file.type }));
  input.files = transfer.files;
  preview(input, canvas);
}

/** @param {ImageBitmap} bitmap */
function draw(bitmap) {
  const { width, height } = bitmap;
  const shorter = Math.min(width, height);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.min(shorter, side);
  const at = /** @type {const} */ ([(width - shorter) / 2, (height - shorter) / 2]);
  const pen = canvas.getContext("2d");
  pen?.drawImage(bitmap, ...at, shorter, shorter, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * Returns the first encoding that is small enough. A browser that does not support a format writes PNG.
 * @param {HTMLCanvasElement} canvas
 */
async function smallest(canvas) {
  for (const type of ["image/webp", "image/jpeg"]) {
    const file = await /** @type {Promise<Blob | null>} */ (new Promise((done) => canvas.toBlob(done, type, 0.9)));
    if (file && file.size <= largest) return file;
  }
  return undefined;
}

/**
 * @param {HTMLInputElement} input
 * @param {HTMLCanvasElement} canvas
 */
function preview(input, canvas) {
  canvas.className = "avatar";
  canvas.ariaHidden = "true";
  input.closest(".picture")?.querySelector(".avatar")?.replaceWith(canvas);
}
