import type { FastifyInstance } from 'fastify'
import { POLICY_REPORTS } from '../core/edge/pages/index.ts'
import { httpErrors, refuseWait } from '../platform/http.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Counter } from '../platform/rate-limit.ts'

const REPORT_BYTES_MAX = 8 * 1024
/** Reports of one request that are counted. */
const REPORTS_MAX = 10
/** One page may break its policy in many places at once; nobody's browser does so all the time. */
const SENT_PER_MINUTE_MAX = 30
const BLOCKED_LENGTH_MAX = 200
/** As browsers send them: each by itself in the older form, as a list in the newer one. */
const TYPES = ['application/csp-report', 'application/reports+json', 'application/json']
const DIRECTIVES: ReadonlySet<string> = new Set(
  'default-src base-uri style-src style-src-elem style-src-attr img-src script-src script-src-elem script-src-attr connect-src font-src frame-src form-action frame-ancestors require-trusted-types-for'.split(
    ' ',
  ),
)

interface Deps {
  readonly metrics: Metrics
  /** Counts something per address, where requests are counted at all. */
  readonly counted: (perMinute: number) => Counter
}

/**
 * Where browsers tell what our pages tried and their policy forbids. Anyone may send anything here: it is counted under a
 * word of ours and logged without the address of the page, which may be a payer's own.
 */
export function policyReportRoutes(http: FastifyInstance, { metrics, counted }: Deps): void {
  const sent = counted(SENT_PER_MINUTE_MAX)
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(TYPES, { parseAs: 'string', bodyLimit: REPORT_BYTES_MAX }, (_, body, done) =>
      done(null, body),
    )
    const onRequest = async ({ ip }: { readonly ip: string }): Promise<void> => {
      refuseWait(sent.usedUp(ip))
      sent.count(ip)
    }
    scope.post(POLICY_REPORTS, { onRequest, bodyLimit: REPORT_BYTES_MAX }, async (request, reply) => {
      for (const { directive, blocked } of readReports(String(request.body ?? ''))) {
        metrics.policyReport(directive)
        request.log.info({ requestId: request.id, directive, blocked }, 'a page tried what its policy forbids')
      }
      return reply.code(204).send()
    })
  })
}

interface Report {
  readonly directive: string
  /** What was forbidden: a word as `inline`, or the host of an address. */
  readonly blocked: string
}

function readReports(text: string): readonly Report[] {
  const told = parsed(text)
  const bodies = Array.isArray(told)
    ? told.slice(0, REPORTS_MAX).map((report) => fieldsOf(fieldsOf(report)['body']))
    : [fieldsOf(fieldsOf(told)['csp-report'])]
  return bodies.map((body) => {
    const directive = String(body['effectiveDirective'] ?? body['effective-directive'] ?? body['violated-directive'])
    const blocked = String(body['blockedURL'] ?? body['blocked-uri'] ?? '').slice(0, BLOCKED_LENGTH_MAX)
    const [name = ''] = directive.split(' ', 1)
    return { directive: DIRECTIVES.has(name) ? name : 'other', blocked: URL.parse(blocked)?.host || blocked }
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw httpErrors.invalidJson()
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
