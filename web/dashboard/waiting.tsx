import type { JSX } from 'preact'
import { TurningIcon } from '../ui/icons.tsx'

/** Something is on its way. */
export const Waiting = (): JSX.Element => (
  <div class="waiting" aria-busy="true">
    <TurningIcon />
    <span class="unseen">Loading</span>
  </div>
)
