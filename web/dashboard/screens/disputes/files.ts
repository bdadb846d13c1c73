import { base64Of } from '../../parts/base64.ts'

const FILES_MAX = 3
const BYTES_MAX = 400 * 1024
const TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const
type FileType = (typeof TYPES)[number]

/** The files in the API's format, or the problem with one of them. */
export type FilesResult =
  | { readonly files: { readonly name: string; readonly type: FileType; readonly content: string }[] }
  | { readonly problem: string }

/** Checks and encodes the chosen files. */
export async function readFiles(chosen: readonly File[]): Promise<FilesResult> {
  if (chosen.length > FILES_MAX) return { problem: `You can send at most ${FILES_MAX} files. Choose fewer.` }
  const files: { name: string; type: FileType; content: string }[] = []
  for (const file of chosen) {
    const type = TYPES.find((accepted) => accepted === file.type)
    if (type === undefined) return { problem: `${file.name} is not a PDF, PNG or JPEG. Choose another file.` }
    if (file.size > BYTES_MAX) return { problem: `${file.name} is larger than 400 kB. Choose a smaller file.` }
    files.push({ name: file.name, type, content: await base64Of(file) })
  }
  return { files }
}
