/** A sheet of paper: what stands at its head, facts in lines, and notes below. */
export interface Paper {
  /** Its code, as ha. */
  readonly language: string
  readonly title: string
  /** Whose it is: in the band at the top. */
  readonly head: string
  /** Said beside the head, where it must not be overlooked. */
  readonly badge: string | null
  /** In large letters. */
  readonly figure: string
  readonly facts: readonly (readonly [string, string])[]
  readonly notes: readonly string[]
  /** The colour of the band, as #0c3b2a. */
  readonly colour: string
}

/** A4, in points. */
const WIDTH = 595
const HEIGHT = 842
const MARGIN = 56
const BAND = 110
const VALUES_AT = 210
const LINE = 16
const FACT_GAP = 8
const FACTS_MAX = 24
const NOTES_MAX = 12
const LINES_OF_ONE_MAX = 6

/**
 * A paper as PDF, of one page. It uses the fonts that every reader has, so that it is small and nothing is embedded; they
 * know the letters of western Europe only: ₦ is written NGN, the dots below ẹ, ọ, ṣ, ị and ụ are drawn, and other marks that
 * they lack are left out. What is copied from it, or read aloud, is the text as it was.
 */
export function pdfOf(paper: Paper): Buffer {
  const content = draw(paper)
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Lang ${quoted(paper.language)} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents 6 0 R /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Title ${quoted(paper.title)} /Producer (Kobo) >>`,
  ]
  let text = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const places = objects.map((object, index) => {
    const place = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `trailer\n<< /Size ${size} /Root 1 0 R /Info 7 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`, 'latin1')
}

const font = (name: string): string => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`

/** What is drawn, from the top of the page down. */
function draw({ head, badge, title, figure, facts, notes, colour }: Paper): string {
  const [red, green, blue] = [1, 3, 5].map((at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255).toFixed(3))
  const parts = [`${red} ${green} ${blue} rg 0 ${HEIGHT - BAND} ${WIDTH} ${BAND} re f 1 1 1 rg`]
  const write = (x: number, y: number, size: number, text: string, isBold = false): void => {
    parts.push(`BT /F${isBold ? 2 : 1} ${size} Tf ${x} ${y} Td ${shown(text, size, isBold)} ET`)
  }
  write(MARGIN, HEIGHT - 60, 20, cut(head, 40), true)
  write(MARGIN, HEIGHT - 84, 12, badge === null ? title : `${title} · ${badge}`)
  parts.push('0.1 0.12 0.11 rg')
  let y = HEIGHT - BAND - 60
  write(MARGIN, y, 28, figure, true)
  y -= 44
  for (const [name, value] of facts.slice(0, FACTS_MAX)) {
    write(MARGIN, y, 10, name)
    for (const line of linesOf(value, 54)) {
      write(VALUES_AT, y, 11, line, true)
      y -= LINE
    }
    y -= FACT_GAP
  }
  y -= LINE
  for (const note of notes.slice(0, NOTES_MAX))
    for (const line of linesOf(note, 92)) {
      write(MARGIN, y, 10, line)
      y -= LINE
    }
  return parts.join('\n')
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** A text in lines of so many characters, between words where it has some. */
function linesOf(text: string, length: number): readonly string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest.length > length && lines.length < LINES_OF_ONE_MAX - 1) {
    const space = rest.lastIndexOf(' ', length)
    const end = space > length / 2 ? space : length
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trim()
  }
  return [...lines, cut(rest, length)]
}

/** Letters that Latin-1 lacks, as the fonts' encoding has them or as they are best written without. */
const LETTERS: Readonly<Record<string, string>> = {
  '₦': 'NGN ',
  '…': '\x85',
  '‘': '\x91',
  '’': '\x92',
  '“': '\x93',
  '”': '\x94',
  '•': '\x95',
  '–': '\x96',
  '—': '\x97',
  ɓ: 'b',
  Ɓ: 'B',
  ɗ: 'd',
  Ɗ: 'D',
  ƙ: 'k',
  Ƙ: 'K',
}

const DOT_BELOW = '\u0323'
/** Where a full stop stands under a letter, in parts of the letter's size. */
const DOT_DROP = 0.2
const DOT_WIDTH = 278
/** How wide the letters are that may have a dot below, in thousandths of their size: as they are, and bold. */
const DOTTED: Readonly<Record<string, readonly [plain: number, bold: number]>> = {
  e: [556, 556],
  i: [222, 278],
  o: [556, 611],
  s: [500, 556],
  u: [556, 611],
  E: [667, 667],
  I: [278, 278],
  O: [778, 778],
  S: [667, 667],
  U: [722, 722],
}

/** What the fonts show as it is, or as everybody writes it. */
const AS_IT_IS = /^[\x20-\x7e\xa0-\xff₦…‘’“”•–—]*$/

/** A text as it is drawn: where the fonts lack a letter, in pieces with dots below, and with the text itself for who copies it. */
function shown(text: string, size: number, isBold: boolean): string {
  if (AS_IT_IS.test(text.normalize('NFC'))) return `${quoted(text)} Tj`
  const letters = text.normalize('NFD').match(/.\p{M}*/gsu) ?? []
  let run = ''
  const pieces = letters.flatMap((letter) => {
    run += letter.replace(DOT_BELOW, '')
    const width = letter.includes(DOT_BELOW) ? DOTTED[letter[0] ?? '']?.[isBold ? 1 : 0] : undefined
    if (width === undefined) return []
    const piece = `${quoted(run)} Tj ${-DOT_DROP * size} Ts [${(width + DOT_WIDTH) / 2} (.) ${(DOT_WIDTH - width) / 2}] TJ 0 Ts`
    run = ''
    return [piece]
  })
  const actual = Buffer.from(`\ufeff${text.normalize('NFC')}`, 'utf16le')
    .swap16()
    .toString('hex')
  return `/Span << /ActualText <${actual}> >> BDC ${pieces.join(' ')} ${quoted(run)} Tj EMC`
}

/** A text in the fonts' encoding, as PDF quotes it. */
function quoted(text: string): string {
  const latin = [...text.normalize('NFC')].map((letter) => {
    const known = LETTERS[letter]
    if (known !== undefined) return known
    if (letter >= ' ' && letter <= '~') return letter
    if (letter >= '\xa0' && letter <= '\xff') return letter
    const plain = letter.normalize('NFD').replace(/\p{M}/gu, '')
    return /^[\x20-\x7e]$/.test(plain) ? plain : letter.trim() === '' || /\p{M}/u.test(letter) ? '' : '?'
  })
  return `(${latin.join('').replace(/[\\()]/g, '\\$&')})`
}
