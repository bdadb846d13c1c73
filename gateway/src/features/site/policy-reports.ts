import type { FastifyInstance } from 'fastify'
import { POLICY_REPORTS } from '../../core/edge/pages/index.ts'
import type { Counter } from '../../platform/http/rate-limit.ts'
import { httpErrors, rejectIfLimited } from '../../platform/http/server.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'

const REPORT_BYTES_MAX = 8 * 1024
/** The maximum number of reports that are counted per request. */
const REPORTS_MAX = 10
/** A page can violate its policy in several places at once, but no browser sends more reports than this. */
const SENT_PER_MINUTE_MAX = 30
const BLOCKED_LENGTH_MAX = 200
/** The content types that browsers send: one report in the older format, a list in the newer one. */
const TYPES = ['application/csp-report', 'application/reports+json', 'application/json']
const DIRECTIVES: ReadonlySet<string> = new Set(
  'default-src base-uri style-src style-src-elem style-src-attr img-src script-src script-src-elem script-src-attr connect-src font-src frame-src form-action frame-ancestors require-trusted-types-for'.split(
    ' ',
  ),
)

interface Deps {
  readonly metrics: Metrics
  /** Creates a counter per IP address, which has no limit if rate limits are off. */
  readonly openCounter: (perMinute: number) => Counter
}

/**
 * Serves the endpoint for browsers' reports of policy violations. Anyone can send anything, so the metrics use only our
 * own labels, and the log omits the page's URL, which may be a customer's.
 */
export function policyReportRoutes(http: FastifyInstance, { metrics, openCounter }: Deps): void {
  const sent = openCounter(SENT_PER_MINUTE_MAX)
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(TYPES, { parseAs: 'string', bodyLimit: REPORT_BYTES_MAX }, (_, body, done) =>
      done(null, body),
    )
    const onRequest = async ({ ip }: { readonly ip: string }): Promise<void> => {
      rejectIfLimited(sent.usedUp(ip))
      sent.count(ip)
    }
    scope.post(POLICY_REPORTS, { onRequest, bodyLimit: REPORT_BYTES_MAX }, async (request, reply) => {
      for (const { directive, blocked } of readReports(String(request.body ?? ''))) {
        metrics.policyReport(directive)
        request.log.info({ requestId: request.id, directive, blocked }, 'content security policy violation reported')
      }
      return reply.code(204).send()
    })
  })
}

interface Report {
  readonly directive: string
  /** The blocked resource: a keyword such as `inline`, or the host of a URL. */
  readonly blocked: string
}

function readReports(text: string): readonly Report[] {
  const reports = parsed(text)
  const bodies = Array.isArray(reports)
    ? reports.slice(0, REPORTS_MAX).map((report) => fieldsOf(fieldsOf(report)['body']))
    : [fieldsOf(fieldsOf(reports)['csp-report'])]
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
