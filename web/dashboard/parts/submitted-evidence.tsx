import type { getDispute, getDisputeFile, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type CallResult, problemOf } from '../api/call.ts'
import { slashedMoment } from './format.ts'

interface SubmittedEvidenceProps {
  readonly title: string
  readonly evidence: NonNullable<Reply<typeof getDispute>['evidence']>
  readonly getFile: (fileId: string) => Promise<CallResult<Reply<typeof getDisputeFile>>>
}

/** The evidence that a merchant submitted against a dispute, with its files to download. */
export function SubmittedEvidence({
  title,
  evidence: { text, submittedOn, files },
  getFile,
}: SubmittedEvidenceProps): JSX.Element {
  const [problem, setProblem] = useState<string>()
  const download = async (fileId: string): Promise<void> => {
    const result = await getFile(fileId)
    if (result.kind !== 'done') return setProblem(problemOf(result))
    const { name, type, content } = result.body
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
    const url = URL.createObjectURL(new Blob([bytes], { type }))
    const link = Object.assign(document.createElement('a'), { href: url, download: name })
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <section class="panel stack-tight" aria-labelledby="evidence">
      <h2 id="evidence">{title}</h2>
      <p class="quiet small">{slashedMoment(submittedOn)}</p>
      <pre class="text">{text}</pre>
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
      <ul class="rows">
        {files.map(({ fileId, name, bytes }) => (
          <li key={fileId}>
            <span>
              {name} <small class="quiet">{Math.ceil(bytes / 1024)} kB</small>
            </span>
            <button class="link" type="button" onClick={() => void download(fileId)}>
              Download<span class="unseen"> {name}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
