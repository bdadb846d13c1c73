import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { useReply } from '../../api/use-reply.ts'
import { LoadError } from '../../parts/placeholders.tsx'
import { responseText } from '../../parts/response-text.ts'

/** How often we check for the result of a test event. */
const TEST_POLL_MILLISECONDS = 1_000

interface TestResultProps {
  /** The test event. */
  readonly id: string
  /** Reloads what the delivery changed. */
  readonly again: () => Promise<void>
}

/** The first delivery of a test event, as soon as there is one. */
export function TestResult({ id, again }: TestResultProps): JSX.Element {
  const { body, problem, again: reload } = useReply(routes.getMerchantEvent, { params: { id } })
  const attempt = body?.attempts[0]
  const isSent = attempt !== undefined
  useEffect(() => {
    if (isSent) {
      void again()
      return undefined
    }
    const timer = setInterval(() => void reload(), TEST_POLL_MILLISECONDS)
    return () => clearInterval(timer)
  }, [isSent, reload, again])
  return (
    <div role="status">
      <LoadError problem={problem} />
      <p class={attempt === undefined || attempt.status === 200 ? 'notice' : 'notice bad'}>
        {attempt === undefined
          ? 'Test event sent. Waiting for the response.'
          : attempt.status === 200
            ? `Test event delivered: status 200 after ${attempt.milliseconds} ms.`
            : `Test event not accepted: ${responseText(attempt)}. We retry it like any event.`}
      </p>
    </div>
  )
}
