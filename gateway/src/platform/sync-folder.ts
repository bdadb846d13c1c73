import { open } from 'node:fs/promises'

/** Flushes a folder's entries to disk, so that new and renamed files survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
