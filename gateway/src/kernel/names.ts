/** With this score or a higher one, two names count as the same. */
export const NAME_SCORE_PASS = 80
/** With a lower score than this, two names count as different. Between the two scores, a person should check. */
export const NAME_SCORE_FLAG = 60

const SCORE_MAX = 100

export interface NameMatch {
  /** 0 (nothing in common) to 100 (the same words). */
  readonly score: number
  readonly verdict: 'pass' | 'flag' | 'refuse'
}

/**
 * Compares a name that someone entered with the bank's. Case, punctuation, accents, word order, titles and legal forms
 * are ignored; an extra name, an abbreviation or a small typo counts little.
 */
export function matchNames(written: string, held: string): NameMatch {
  const score = written === held && written.trim() !== '' ? SCORE_MAX : nameScore(wordsOf(written), wordsOf(held))
  return { score, verdict: score >= NAME_SCORE_PASS ? 'pass' : score >= NAME_SCORE_FLAG ? 'flag' : 'refuse' }
}

const TITLES = new Set(
  'MR MRS MS MISS MASTER DR PROF PROFESSOR ENGR ARC BARR ESQ HON CHIEF OTUNBA OBA ALHAJI ALHAJA ALH HAJIA HAJJ MALLAM REV REVEREND PASTOR PST BISHOP APOSTLE EVANG SIR LADY DAME JR JNR SNR LTD LIMITED PLC'.split(
    ' ',
  ),
)

/** Returns the words of a name in upper case, without titles. Titles count if the name has no other words. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .normalize('NFKD')
    .replace(/[\p{M}'’`.]/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const withoutTitles = words.filter((word) => !TITLES.has(word))
  return withoutTitles.length > 0 ? withoutTitles : words
}

/**
 * The weight of an abbreviated word. If one of three words is abbreviated, two names still match; if one of two is,
 * they do not.
 */
const INITIAL_WORTH = 0.5
/** The deduction if one name has an extra word and all other words match. */
const OMISSION_WORTH = 0.05
const WORDS_MIN_FOR_OMISSION = 2

function nameScore(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0
  const { worth, pairs, left, right } = pairUp(a, b)
  const unmatched = Math.max(left, right)
  // An extra name counts little, because many people leave out a third name, but few use a different one.
  const isOmission = pairs >= WORDS_MIN_FOR_OMISSION && unmatched > 0 && Math.min(left, right) === 0
  const share = isOmission ? worth / (pairs + unmatched - 1) - OMISSION_WORTH : worth / (pairs + unmatched)
  return Math.round(100 * share)
}

interface Pairing {
  /** The sum of the pairs' weights, each from 0 to 1. */
  readonly worth: number
  readonly pairs: number
  /** Words without a match, in each of the two names. */
  readonly left: number
  readonly right: number
}

type Likeness = (a: string, b: string) => number

/** Pairs the words of two names, the most certain pairs first: equal, joined, misspelt, abbreviated. */
function pairUp(a: readonly string[], b: readonly string[]): Pairing {
  let [left, right] = joined(a, b)
  let worth = 0
  let pairs = 0
  for (const likeness of [same, misspelling, initial] satisfies Likeness[]) {
    const rest: string[] = []
    for (const word of left) {
      const best = bestPartner(word, right, likeness)
      if (best === undefined) rest.push(word)
      else {
        worth += best.worth
        pairs++
        right = right.filter((_, index) => index !== best.index)
      }
    }
    left = rest
  }
  return { worth, pairs, left: left.length, right: right.length }
}

function bestPartner(
  word: string,
  among: readonly string[],
  likeness: Likeness,
): { readonly index: number; readonly worth: number } | undefined {
  let best: { readonly index: number; readonly worth: number } | undefined
  among.forEach((other, index) => {
    const worth = likeness(word, other)
    if (worth > (best?.worth ?? 0)) best = { index, worth }
  })
  return best
}

/** Returns both names, with words joined if the other name writes them as one: ABDUL AZEEZ is ABDULAZEEZ. */
function joined(a: readonly string[], b: readonly string[]): [readonly string[], readonly string[]] {
  const like = (words: readonly string[], model: ReadonlySet<string>): readonly string[] => {
    const result: string[] = []
    for (let i = 0; i < words.length; i++) {
      const [word = '', following = ''] = [words[i], words[i + 1]]
      const together = word + following
      if (following !== '' && model.has(together) && !model.has(word)) {
        result.push(together)
        i++
      } else result.push(word)
    }
    return result
  }
  return [like(a, new Set(b)), like(b, new Set(a))]
}

const same: Likeness = (a, b) => (a === b ? 1 : 0)

/** Returns how many typos are allowed in a word of this length. */
const slipsAllowed = (length: number): number => (length < 4 ? 0 : length < 7 ? 1 : 2)

/**
 * Scores two words that are equal except for a typo or two after the first letter. Doubled letters are ignored: MOHAMED
 * is MOHAMMED.
 */
const misspelling: Likeness = (a, b) => {
  const [one, other] = [undoubled(a), undoubled(b)]
  if (one[0] !== other[0]) return 0
  const length = Math.max(one.length, other.length)
  const slips = editDistance(one, other)
  return slips <= slipsAllowed(length) ? 1 - slips / length : 0
}

const undoubled = (word: string): string => word.replace(/(.)\1+/gu, '$1')

const initial: Likeness = (a, b) => ((a.length === 1 || b.length === 1) && a[0] === b[0] ? INITIAL_WORTH : 0)

/** Computes the edit distance, in which two swapped neighbours count as one edit. */
export function editDistance(a: string, b: string): number {
  let [twoAbove, above]: readonly number[][] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      line[column] = Math.min(
        at(above, column) + 1,
        at(line, column - 1) + 1,
        at(above, column - 1) + cost,
        swapped ? at(twoAbove, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    twoAbove = above
    above = line
  }
  return at(above, b.length)
}

const at = (line: readonly number[] | undefined, column: number): number => line?.[column] ?? Number.POSITIVE_INFINITY
