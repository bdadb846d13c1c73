import type { getDispute, getDisputeFile, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Answer, problemOf } from '../call.ts'
import { slashedMoment } from '../texts.ts'

interface SaidProps {
  readonly title: string
  readonly evidence: NonNullable<Reply<typeof getDispute>['evidence']>
  readonly file: (fileId: string) => Promise<Answer<Reply<typeof getDisputeFile>>>
}

/** What a merchant said against a dispute, and its files to be saved. */
export function Said({ title, evidence: { text, submittedOn, files }, file }: SaidProps): JSX.Element {
  const [problem, setProblem] = useState<string>()
  const save = async (fileId: string): Promise<void> => {
    const answer = await file(fileId)
    if (answer.kind !== 'done') return setProblem(problemOf(answer))
    const { name, type, content } = answer.body
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
    const address = URL.createObjectURL(new Blob([bytes], { type }))
    const link = Object.assign(document.createElement('a'), { href: address, download: name })
    link.click()
    URL.revokeObjectURL(address)
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
            <button class="link" type="button" onClick={() => void save(fileId)}>
              Save<span class="unseen"> {name}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
