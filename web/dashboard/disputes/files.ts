const FILES_MAX = 3
const BYTES_MAX = 400 * 1024
const TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const
type FileType = (typeof TYPES)[number]

/** Files as they are sent, or what is wrong with one. */
export type Chosen =
  | { readonly files: { readonly name: string; readonly type: FileType; readonly content: string }[] }
  | { readonly wrong: string }

/** Reads files that somebody has chosen, so that they can be sent. */
export async function readFiles(chosen: readonly File[]): Promise<Chosen> {
  if (chosen.length > FILES_MAX) return { wrong: `At most ${FILES_MAX} files can be sent.` }
  const files: { name: string; type: FileType; content: string }[] = []
  for (const file of chosen) {
    const type = TYPES.find((one) => one === file.type)
    if (type === undefined) return { wrong: `${file.name} is neither a PDF nor a PNG or JPEG picture.` }
    if (file.size > BYTES_MAX) return { wrong: `${file.name} is larger than 400 kB.` }
    files.push({ name: file.name, type, content: base64(new Uint8Array(await file.arrayBuffer())) })
  }
  return { files }
}

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
