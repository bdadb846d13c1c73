import { currentSpan, spanning } from '../../platform/observability/tracing.ts'

/** The traced facts about a call. The content of a call is never traced. */
interface RailFacts {
  readonly partner: string | null
  readonly outcome: string
}

/** Calls a partner in its own span, if tracing is on. */
export function inRailSpan<Result>(
  operationOf: () => string,
  call: () => Promise<Result>,
  describe: (result: Result) => RailFacts,
): Promise<Result> {
  const current = currentSpan()
  if (current === undefined) return call()
  const operation = operationOf()
  const span = current.begin(`rail ${operation}`, 'client')
  if (span === undefined) return call()
  return spanning(span, async () => {
    const result = await call()
    const { partner, outcome } = describe(result)
    span.note('kobo.partner', partner ?? undefined)
    span.note('kobo.operation', operation)
    span.note('kobo.outcome', outcome)
    return result
  })
}
