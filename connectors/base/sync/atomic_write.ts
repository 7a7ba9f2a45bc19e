/**
 * Writes a file so that a reader sees the old text or the new one, never a
 * part. A link is written through; the mode of a file that is there is kept.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const real = await target(path);
  const directory = real.replace(/[\\/][^\\/]*$/, "") || "/";
  await Deno.mkdir(directory, { recursive: true });
  const temporary = `${real}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeThrough(temporary, new TextEncoder().encode(text));
    const mode = await modeOf(real);
    if (mode !== undefined && Deno.build.os !== "windows") await Deno.chmod(temporary, mode);
    await Deno.rename(temporary, real);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  // An identity tells about the user: a new file is nobody else's to read.
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
  await file.sync();
}

/** The end of the chain of links, even where nothing is there. */
async function target(path: string): Promise<string> {
  let at = path;
  for (let hops = 0; hops < 16; hops++) {
    let to: string;
    try {
      to = await Deno.readLink(at);
    } catch {
      return at;
    }
    at = /^([A-Za-z]:)?[\\/]/.test(to) ? to : at.replace(/[^\\/]*$/, "") + to;
  }
  return at;
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    const { mode } = await Deno.stat(path);
    return mode === null ? undefined : mode & 0o7777;
  } catch {
    return undefined;
  }
}
