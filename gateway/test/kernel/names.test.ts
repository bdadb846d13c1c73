import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchNames, NAME_SCORE_FLAG, NAME_SCORE_PASS } from '../../src/kernel/names.ts'

const CASES = [
  // the same but for case, accents and punctuation
  ['ADAEZE OKAFOR', 'ADAEZE OKAFOR', 'pass'],
  ['adaeze okafor', 'ADAEZE OKAFOR', 'pass'],
  ['Okafor Adaeze', 'ADAEZE OKAFOR', 'pass'],
  ['OKAFOR, Adaeze', 'ADAEZE OKAFOR', 'pass'],
  ["Chidi O'Brien", 'CHIDI OBRIEN', 'pass'],
  ['Ayọ̀bámi Adébáyọ̀', 'AYOBAMI ADEBAYO', 'pass'],
  ['  Adaeze   Okafor ', 'ADAEZE OKAFOR', 'pass'],
  // titles and legal forms
  ['Mrs. Adaeze Okafor', 'ADAEZE OKAFOR', 'pass'],
  ['Alhaji Musa Bello', 'BELLO MUSA', 'pass'],
  ['Dr (Mrs) Ngozi Eze', 'EZE NGOZI', 'pass'],
  ['Kobo Stores Ltd', 'KOBO STORES LIMITED', 'pass'],
  ['Master Plc', 'MASTER PLC', 'pass'],
  // a middle name omitted or abbreviated
  ['Adaeze Okafor', 'OKAFOR ADAEZE CHIOMA', 'pass'],
  ['Okafor Adaeze Chioma', 'ADAEZE OKAFOR', 'pass'],
  ['Adaeze C. Okafor', 'OKAFOR ADAEZE CHIOMA', 'pass'],
  ['Adaeze Okafor', 'OKAFOR ADAEZE CHIOMA GRACE', 'flag'],
  ['Adaeze Ngozi Okafor', 'OKAFOR ADAEZE CHIOMA', 'flag'],
  ['A. Okafor', 'ADAEZE OKAFOR', 'flag'],
  ['A. C. Okafor', 'OKAFOR ADAEZE CHIOMA', 'flag'],
  // small misspellings
  ['Adaeze Okafo', 'ADAEZE OKAFOR', 'pass'],
  ['Adaeze Okafro', 'ADAEZE OKAFOR', 'pass'],
  ['Chukwuemka Obi', 'CHUKWUEMEKA OBI', 'pass'],
  ['Mohamed Ali', 'MUHAMMAD ALI', 'pass'],
  ['Abdul-Azeez Lawal', 'ABDULAZEEZ LAWAL', 'pass'],
  ['Abdulazeez Lawal', 'LAWAL ABDUL AZEEZ', 'pass'],
  ['Adaezi Okafor', 'OKAFOR ADAEZE CHIOMA', 'pass'],
  ['Adaezi Okafo', 'OKAFOR ADAEZE CHIOMA', 'flag'],
  // another person
  ['Adaeze Okafor', 'MUSA BELLO', 'refuse'],
  ['Adaeze Okafor', 'ADAEZE EZE', 'refuse'],
  ['Adaeze Okafor', 'NGOZI OKAFOR', 'refuse'],
  ['Ada Obi', 'ABA OBI', 'refuse'],
  ['Adaeze', 'ADAEZE OKAFOR', 'refuse'],
  ['Bola Ade', 'KOLA ADE', 'refuse'],
  ['A. O.', 'ADAEZE OKAFOR', 'refuse'],
  ['', 'ADAEZE OKAFOR', 'refuse'],
  ['.', 'ADAEZE OKAFOR', 'refuse'],
  ['Mr', 'ADAEZE OKAFOR', 'refuse'],
] as const

const DOES = { pass: 'matches', flag: 'is flagged as', refuse: 'does not match' }

for (const [written, held, verdict] of CASES)
  test(`“${written}” ${DOES[verdict]} ${held}`, () => {
    const match = matchNames(written, held)
    assert.equal(match.verdict, verdict, String(match.score))
    assert.deepEqual(matchNames(held, written), match, 'in either order')
  })

test('the verdict follows from the score and the two thresholds', () => {
  assert.deepEqual([NAME_SCORE_FLAG, NAME_SCORE_PASS], [60, 80])
  for (const [written, held] of CASES) {
    const { score, verdict } = matchNames(written, held)
    assert.ok(Number.isInteger(score) && score >= 0 && score <= 100)
    assert.equal(verdict, score >= NAME_SCORE_PASS ? 'pass' : score >= NAME_SCORE_FLAG ? 'flag' : 'refuse')
  }
})

test('any name matches itself in any word order and case, and any two texts have a score', () => {
  const word = fc.stringMatching(/^[A-Z]{2,12}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.nat(), (words, turn) => {
      const turned = [...words.slice(turn % words.length), ...words.slice(0, turn % words.length)]
      const { verdict } = matchNames(turned.join(' ').toLowerCase(), words.join(' '))
      assert.equal(verdict, 'pass')
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const { score } = matchNames(a, b)
      assert.ok(score >= 0 && score <= 100)
    }),
  )
})
