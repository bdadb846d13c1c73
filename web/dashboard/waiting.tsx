import type { JSX } from 'preact'
import { TurningIcon } from '../ui/icons.tsx'

/** Something is on its way. */
export const Waiting = (): JSX.Element => (
  <div class="waiting" aria-busy="true">
    <TurningIcon />
    <span class="unseen">Loading</span>
  </div>
)

/** What a screen shows until what it needs is there: that it is on its way, or why it is not, and how to try again. */
export const Pending = ({ problem }: { readonly problem: string | undefined }): JSX.Element =>
  problem === undefined ? (
    <Waiting />
  ) : (
    <section class="apology stack">
      <h1>This could not be loaded</h1>
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
