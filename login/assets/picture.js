// Makes a small square of a picture that was chosen, and shows it. What the browser cannot read is sent as it is.

// Pixels of a side: sharp where pictures are shown, and far below what the server takes.
const side = 512;
const largest = 400_000;

const input = /** @type {HTMLInputElement | null} */ (document.querySelector("input[type=file]"));
input?.addEventListener("change", () => void square(input));

/**
 * Puts the middle of the chosen picture in its place. Whoever is quicker sends the picture as it was chosen, which the server judges.
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
 * The first encoding that is small enough. A browser that cannot write one writes PNG.
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
