import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'

type Modules = readonly (readonly boolean[])[]

/** A document: a header, facts in lines, and notes below. */
export interface Paper {
  /** The language code, such as ha for Hausa. */
  readonly language: string
  readonly title: string
  /** The merchant's name, in the band at the top. */
  readonly head: string
  /** A short warning after the title. */
  readonly badge: string | null
  /** The main figure, such as the amount, in large letters. */
  readonly figure: string
  readonly facts: readonly (readonly [string, string])[]
  readonly notes: readonly string[]
  /** A QR code below the notes, with a caption. */
  readonly qr: { readonly modules: Modules; readonly caption: string } | null
  /** The colour of the band, dark enough for white text: `#0c3b2a`. */
  readonly colour: string
  /** The colour of the text below the band. */
  readonly ink: string
}

const WIDTH = 595
const HEIGHT = 842
const MARGIN = 56
const BAND = 110
const VALUES_AT = 210
const GAP = 8
const LINES_PER_TEXT_MAX = 6
/** A line that would start closer than this to the bottom margin moves to the next page. */
const LINE_ROOM = 36
/** About 4.5 cm, so that each module of the code is 0.7 mm wide. */
const QR_SIZE = 128

/** Renders a document as PDF. Its fonts are embedded, and text copied from it equals the given text. */
export async function pdfOf(paper: Paper): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  fonts ??= loadFonts()
  const { regular, bold } = await fonts
  const { title, language: lang } = paper
  const document = new PDFDocument({ size: [WIDTH, HEIGHT], margin: 0, lang, info: { Title: title, Producer: 'Kobo' } })
  document.registerFont('regular', regular).registerFont('bold', bold)
  draw(document, paper)
  document.end()
  return buffer(document)
}

/** Draws from the top of the page down, and continues on further pages. */
function draw(
  document: PDFKit.PDFDocument,
  { head, badge, title, figure, facts, notes, qr, colour, ink }: Paper,
): void {
  let y = 0
  const write = (text: string, x: number, size: number, font: 'regular' | 'bold', lines: number): number => {
    document.font(font).fontSize(size)
    const line = document.currentLineHeight(true)
    const height = Math.min(lines, Math.floor((HEIGHT - MARGIN - y) / line)) * line
    if (height <= 0) return 0
    const options = { width: WIDTH - MARGIN - x, height, ellipsis: true }
    document.text(text.normalize('NFC'), x, y, options)
    return Math.min(height, document.y - y)
  }
  document.rect(0, 0, WIDTH, BAND).fill(colour).fillColor('#ffffff')
  y = 40
  write(head, MARGIN, 18, 'bold', 1)
  y = 72
  write(badge === null ? title : `${title} · ${badge}`, MARGIN, 11, 'regular', 1)
  document.fillColor(ink)
  y = BAND + 36
  write(figure, MARGIN, 24, 'bold', 1)
  y += 56
  const breakPage = (): void => {
    if (y <= HEIGHT - MARGIN - LINE_ROOM) return
    document.addPage().fillColor(ink)
    y = MARGIN
  }
  for (const [name, value] of facts) {
    breakPage()
    const nameHeight = write(name, MARGIN, 9, 'regular', 2)
    y += Math.max(nameHeight, write(value, VALUES_AT, 10, 'bold', LINES_PER_TEXT_MAX)) + GAP
  }
  y += GAP
  for (const note of notes) {
    breakPage()
    y += write(note, MARGIN, 9, 'regular', LINES_PER_TEXT_MAX) + GAP / 2
  }
  y += GAP
  if (qr === null || y + QR_SIZE > HEIGHT - MARGIN) return
  drawQr(document, qr.modules, y, ink)
  write(qr.caption, MARGIN + QR_SIZE + 2 * GAP, 9, 'regular', LINES_PER_TEXT_MAX)
}

/** Draws a QR code at the left margin. The paper around it is its quiet zone. */
function drawQr(document: PDFKit.PDFDocument, modules: Modules, y: number, ink: string): void {
  const side = QR_SIZE / modules.length
  for (const [row, cells] of modules.entries())
    for (const [column, isDark] of cells.entries())
      if (isDark) document.rect(MARGIN + column * side, y + row * side, side, side)
  document.fill(ink)
}

type Font = PDFKit.Mixins.PDFFontSource

interface Fonts {
  readonly regular: Font
  readonly bold: Font
}

let fonts: Promise<Fonts> | undefined

/** Parses DejaVu Sans, which has ₦ and the letters of Hausa, Igbo and Yoruba. This takes longer than a document. */
async function loadFonts(): Promise<Fonts> {
  const { create } = await import('fontkit')
  // pdfkit also accepts a parsed font, though its types do not say so.
  const load = async (url: string): Promise<Font> =>
    create(unpackWoff(await readFile(fileURLToPath(url)))) as unknown as Font
  const [regular, bold] = await Promise.all([
    load(import.meta.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff')),
    load(import.meta.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff')),
  ])
  return { regular, bold }
}

/**
 * Converts a WOFF 1.0 font to TrueType. pdfkit would decompress a table again for every letter, which takes 1.7 s for a
 * receipt.
 */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const directory = Buffer.alloc(12 + 16 * count)
  woff.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(count, 4)
  const parts = [directory]
  let offset = directory.length
  for (let index = 0; index < count; index++) {
    const entry = 44 + 20 * index
    const [from, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [number, number, number]
    const stored = woff.subarray(from, from + packed)
    const table = packed < length ? inflateSync(stored) : stored
    const place = 12 + 16 * index
    woff.copy(directory, place, entry, entry + 4)
    woff.copy(directory, place + 4, entry + 16, entry + 20)
    directory.writeUInt32BE(offset, place + 8)
    directory.writeUInt32BE(length, place + 12)
    const padded = Buffer.concat([table, Buffer.alloc(-length & 3)])
    parts.push(padded)
    offset += padded.length
  }
  return Buffer.concat(parts)
}
