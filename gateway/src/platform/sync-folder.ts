import { open } from 'node:fs/promises'

/** Has the names in a folder written to the disk: what was made or renamed there survives a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
