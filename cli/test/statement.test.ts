import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDay } from '../../gateway/src/core/bank-statements/index.ts'
import { kobo } from '../../gateway/src/kernel/money.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { asCamt, asCsv, asMt940, CSV_MAPPING, type WrittenStatement } from '../../gateway/test/harness/statements.ts'
import { aDatabase } from './commands.ts'

const DAY = readDay('2026-03-03') ?? 0

/** Two identical lines are two payments. */
const TWINS = { day: DAY, amount: kobo(500n), narration: 'CASH' }
const FIRST: WrittenStatement = {
  account: '0123456789',
  opening: kobo(10_000n),
  lastDay: DAY,
  lines: [
    { day: DAY - 1, amount: kobo(90_000n), reference: 'R1', bankReference: 'B1' },
    { day: DAY, amount: kobo(-4_000n), reference: 'R2', bankReference: 'B2' },
    TWINS,
    TWINS,
  ],
}

slow('a statement line is imported once, however often and in whichever file it arrives', async (t) => {
  const folder = ownFolder('statements')
  const { prints, misused } = await aDatabase(t)
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const mapping = file('mapping.json', JSON.stringify(CSV_MAPPING))
  const mt940 = file('first.mt940', asMt940(FIRST))
  await misused(
    [/No account at wema is registered/, 'statement', 'import', 'wema', mt940],
    [/Give the first day/, 'statement', 'account', 'wema'],
    [/--from must be a day/, 'statement', 'account', 'wema', '--from', 'soon', '--opening', '0'],
    [/--opening must be naira/, 'statement', 'account', 'wema', '--from', '2026-03-01', '--opening', 'much'],
    [/is in the future/, 'statement', 'account', 'wema', '--from', '2999-01-01', '--opening', '0'],
    [/Cannot read/, 'statement', 'import', 'wema', join(folder, 'nothing')],
    [/Specify one partner code and one file/, 'statement', 'import', 'wema'],
  )
  const begun = ['--number', '0123456789', '--from', '2026-03-02', '--opening', '100', '--mapping', mapping]
  const account = await prints('statement', 'account', 'wema', ...begun)
  assert.deepEqual([account.openingBalance, account.openingHeld, account.mapping.skip], ['100.00', '0.00', 1])
  await misused([
    /reconciled since 2026-03-02; the start cannot change/,
    'statement',
    'account',
    'wema',
    '--from',
    '2026-03-02',
  ])

  const counted = {
    isKnown: false,
    lines: 4,
    newLines: 4,
    tooEarly: 0,
    firstDay: '2026-03-02',
    lastDay: '2026-03-03',
    matched: 0,
    exceptions: 4,
  }
  assert.deepEqual(await prints('statement', 'import', 'wema', mt940), { partner: 'wema', ...counted })
  const again = await prints('statement', 'import', 'wema', mt940)
  assert.deepEqual(again, { partner: 'wema', ...counted, isKnown: true, newLines: 0 })
  // The same lines in other formats, and again in the next day's file.
  for (const [name, text] of [
    ['first.xml', asCamt(FIRST)],
    ['first.csv', asCsv(FIRST)],
  ] as const)
    assert.equal((await prints('statement', 'import', 'wema', file(name, text))).newLines, 0, name)
  const further = { day: DAY + 1, amount: kobo(700n), bankReference: 'B5' }
  const early = { day: DAY - 2, amount: kobo(0n - 100n), bankReference: 'B0' }
  const longer = { ...FIRST, opening: kobo(10_100n), lastDay: DAY + 1, lines: [early, ...FIRST.lines, further] }
  const grown = await prints('statement', 'import', 'wema', file('longer.xml', asCamt(longer)))
  assert.deepEqual([grown.lines, grown.newLines, grown.tooEarly, grown.lastDay], [5, 1, 1, '2026-03-04'])

  await misused(
    [
      /does not add up/,
      'statement',
      'import',
      'wema',
      file('bad.mt940', asMt940(FIRST).replace('R1', 'R9').replace('C900,00', 'C901,00')),
    ],
    [
      /for account 9999999999/,
      'statement',
      'import',
      'wema',
      file('other.xml', asCamt({ ...FIRST, account: '9999999999' })),
    ],
    [
      /is in the future/,
      'statement',
      'import',
      'wema',
      file(
        'future.xml',
        asCamt({
          ...FIRST,
          lastDay: readDay('2999-01-01') ?? 0,
          lines: [{ ...further, day: readDay('2999-01-01') ?? 0 }],
        }),
      ),
    ],
  )
  const files = await prints('statement', 'list', 'wema')
  assert.deepEqual(
    files.map(({ name, newLines }: { name: string; newLines: number }) => [name, newLines]),
    [
      ['longer.xml', 1],
      ['first.csv', 0],
      ['first.xml', 0],
      ['first.mt940', 4],
    ],
  )
  assert.equal((await prints('statement', 'list')).length, 1)
})
