import process from "node:process";
import { openDatabase } from "../../src/database/index.ts";

// Opens the database that the first argument names; its parent kills it meanwhile.
const location = JSON.parse(process.argv[2] ?? "") as { directory?: string; url?: string; migrationsDirectory: string };
process.stdout.write("begins\n");
const database = await openDatabase({ ...location, warn: () => {} });
await database.close();
