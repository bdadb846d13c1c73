import { inflateSync } from 'node:zlib'

/** Extracts the texts of a PDF as a reader copies them, one for each line. */
export function textsIn(pdf: Buffer): readonly string[] {
  const objects = new Map(
    [...pdf.toString('latin1').matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)].map(([, id = '', body = '']) => [
      id,
      body,
    ]),
  )
  const streamOf = (id: string | undefined): string => {
    const [, stream = ''] = /stream\n([\s\S]*)\nendstream/.exec(objects.get(id ?? '') ?? '') ?? []
    return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
  }
  const named = (pattern: RegExp): string[] => [...objects.values()].flatMap((body) => pattern.exec(body)?.[1] ?? [])
  const [resources = ''] = named(/\/Font <<\n([^>]*)>>/)
  const letters = new Map(
    [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, font = '', id = '']) => {
      const map = streamOf(/\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1])
      const [, listed = ''] = /beginbfrange\n<\w+> <\w+> \[([^\]]*)\]/.exec(map) ?? []
      return [font, [...listed.matchAll(/<([^>]*)>/g)].map(([, hex = '']) => utf16(hex.replaceAll(' ', '')))]
    }),
  )
  const lines = new Map<string, string>()
  for (const [page, content] of named(/\/Contents (\d+) 0 R/).entries())
    for (const [, at = '', font = '', shown = ''] of streamOf(content).matchAll(
      /([\d.]+ [\d.]+) Tm\n\/(F\d+) [\d.]+ Tf\n([\s\S]*?)ET/g,
    )) {
      const glyphs = [...shown.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
      const text = glyphs.map((glyph) => letters.get(font)?.[Number.parseInt(glyph, 16)] ?? '').join('')
      lines.set(`${page} ${at}`, (lines.get(`${page} ${at}`) ?? '') + text)
    }
  return [...lines.values()]
}

const utf16 = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le')
