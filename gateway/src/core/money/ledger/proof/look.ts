import type { Tx } from '../../../../platform/db.ts'
import type { Sum } from '../ledger-questions.ts'
import type { Checkpoint } from './checkpoint.ts'
import { askOfJournals } from './journals.ts'
import { type Finding, type Held, type Range, type RowKey, type RowQuestion, single } from './question.ts'
import { askOfRanges } from './walk.ts'

/** What is looked at. */
interface Wanted {
  readonly ranges: readonly Range[]
  /** All that is new, for questions that are asked of it at once. */
  readonly news?: readonly Range[]
  /** Whose open rows are looked at too. */
  readonly open?: readonly Checkpoint[]
}

/** What came of it. */
export interface Looked {
  readonly findings: readonly Finding[]
  readonly sums: readonly Sum[]
  readonly journals: number
  readonly moves: number
  /** Rows that may still change, by the name of their question. */
  readonly open: ReadonlyMap<string, readonly RowKey[]>
  readonly held: readonly Held[]
}

/** Asks all questions of journals and rows in ranges, of the rows that journals lead to, and of those that were open. */
export async function lookAt(tx: Tx, questions: readonly RowQuestion[], wanted: Wanted): Promise<Looked> {
  const { findings, sums, journals, moves, owners } = await askOfJournals(tx, questions, wanted.ranges)
  const answers = await Promise.all(
    questions.map(async (question) => ({
      name: question.name,
      answer: await askOfRanges(tx, question, rangesFor(question, wanted, owners.get(question.name) ?? [])),
    })),
  )
  return {
    findings: [...findings, ...answers.flatMap(({ answer }) => answer.findings)],
    sums,
    journals,
    moves,
    open: new Map(answers.map(({ name, answer }) => [name, answer.open])),
    held: answers.flatMap(({ answer }) => answer.held),
  }
}

/** Where a question is asked, each row once. */
function rangesFor(
  { name, rows }: RowQuestion,
  { ranges, news = [], open = [] }: Wanted,
  owners: readonly RowKey[],
): readonly Range[] {
  if (rows === undefined) return news
  const ofMerchant = Map.groupBy(ranges, ({ merchantId }) => merchantId)
  const isLookedAt = ({ merchantId, id }: RowKey): boolean =>
    ofMerchant.get(merchantId)?.some(({ after, upTo }) => after < id && id <= upTo) === true
  const left = open.flatMap(({ merchantId, open: byName }) =>
    (byName.get(name) ?? []).map((id): RowKey => ({ merchantId, id })),
  )
  const singles = new Map([...left, ...owners].map((key) => [`${key.merchantId} ${key.id}`, key]))
  return [...ranges, ...[...singles.values()].filter((key) => !isLookedAt(key)).map(single)]
}
