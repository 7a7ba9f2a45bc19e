import { now, type Os, realOs } from "../../fs/os.ts";

/** The real file system without waiting for the disk, and without a process for each file. */
export const quickOs: Os = {
  ...realOs,
  create: (path, bytes, mode) => now(() => Deno.writeFileSync(path, bytes, { createNew: true, mode })),
  copy: (from, to, mode) =>
    now(() => Deno.writeFileSync(to, Deno.readFileSync(from), { createNew: true, mode })),
  copyWithAttributes: (from, to) =>
    now(() => {
      Deno.copyFileSync(from, to);
      return true;
    }),
  keepsAttributes: () => Promise.resolve(true),
  overwrite: (path, bytes) => now(() => Deno.writeFileSync(path, bytes, { create: false })),
  syncDir: () => Promise.resolve(),
};
