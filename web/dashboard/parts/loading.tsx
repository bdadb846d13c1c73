import type { JSX } from 'preact'
import { TurningIcon } from '../../ui/icons.tsx'

/** A loading indicator. */
export const Loading = (): JSX.Element => (
  <div class="waiting" aria-busy="true">
    <TurningIcon />
    <span class="unseen">Loading</span>
  </div>
)

/** A screen's placeholder until its data is there: loading, or the error and a retry button. */
export const LoadingOrError = ({ problem }: { readonly problem: string | undefined }): JSX.Element =>
  problem === undefined ? (
    <Loading />
  ) : (
    <section class="error-screen stack">
      <h1>This couldn’t be loaded</h1>
      <p class="quiet" role="alert">
        {problem}
      </p>
      <p>
        <button class="button plain fit" type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </p>
    </section>
  )
