import type { ComponentChildren, JSX } from 'preact'
import { TurningIcon } from '../../ui/icons.tsx'
import type { LoadProblem } from '../api/use-reply.ts'

export const Loading = (): JSX.Element => (
  <div class="waiting" aria-busy="true">
    <TurningIcon />
    <span class="unseen">Loading</span>
  </div>
)

interface LoadingOrErrorProps {
  readonly problem: LoadProblem | undefined
  /** The name of what is loaded, if it may not exist: "Transaction". */
  readonly singular?: string
  /** The list that it belongs to. */
  readonly list?: { readonly title: string; readonly href: string }
}

/** A screen's placeholder until its data is there: loading, not found, or the error and a retry button. */
export function LoadingOrError({ problem, singular, list }: LoadingOrErrorProps): JSX.Element {
  if (problem === undefined) return <Loading />
  const isMissing = problem.isMissing && singular !== undefined
  return (
    <section class="error-screen stack">
      <h1>{isMissing ? `${singular} not found` : `${singular ?? 'This'} couldn’t be loaded`}</h1>
      <p class="quiet" role="alert">
        {isMissing ? 'Check the link. It may belong to another team.' : problem.text}
      </p>
      <p class="actions centred">
        {!isMissing && (
          <button class="button plain fit" type="button" onClick={problem.retry}>
            Try again
          </button>
        )}
        {list !== undefined && (
          <a class="link" href={list.href}>
            {list.title}
          </a>
        )}
      </p>
    </section>
  )
}

/** The error of a part of a screen, with a retry button. */
export const LoadError = ({ problem }: { readonly problem: LoadProblem | undefined }): JSX.Element => (
  <div role="alert">
    {problem !== undefined && (
      <p class="notice bad split-row">
        <span>{problem.text}</span>
        <button class="link" type="button" onClick={problem.retry}>
          Try again
        </button>
      </p>
    )}
  </div>
)

interface NothingProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** The message in place of an empty list. */
export const Nothing = ({ title, children }: NothingProps): JSX.Element => (
  <section class="nothing">
    <p>
      <b>{title}</b>
    </p>
    {children}
  </section>
)
