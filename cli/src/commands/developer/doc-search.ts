import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const FILES = ['README.md', 'docs/*/*.md', 'sdk/readme.md']
const FOUND_MAX = 5
const TEXT_LENGTH_MAX = 4_000

/** A section of the documentation: one heading and its text. */
export interface Section {
  readonly file: string
  readonly title: string
  readonly text: string
}

function readSections(): readonly Section[] {
  return globSync(FILES, { cwd: ROOT }).flatMap((file) =>
    readFileSync(`${ROOT}${file}`, 'utf8')
      .split(/^(?=#{1,3} )/m)
      .map((text) => ({ file, title: /^#+ (.*)/.exec(text)?.[1] ?? file, text })),
  )
}

/** Finds the sections that contain most of the words; a match in the heading counts more. */
export function searchDocs(words: string): readonly Section[] {
  const terms = [...new Set(words.toLowerCase().match(/[\p{L}\p{N}_-]{2,}/gu) ?? [])]
  const score = ({ title, text }: Section): number => {
    const [inTitle, inText] = [title.toLowerCase(), text.toLowerCase()]
    return terms.reduce((sum, word) => sum + (inTitle.includes(word) ? 3 : 0) + (inText.includes(word) ? 1 : 0), 0)
  }
  return readSections()
    .map((section) => ({ section, points: score(section) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, FOUND_MAX)
    .map(({ section }) => ({ ...section, text: section.text.slice(0, TEXT_LENGTH_MAX) }))
}
