import type { Route } from './route.ts'

/** How large a body may be, and of how many values it may be made: numbers, texts, lists, objects and all that is in them. */
export interface BodySize {
  readonly bytes: number
  readonly values: number
}

/** What nobody pays for is small, what one merchant asks for is not large, and only files and batches are. */
export const BODY_SIZES = {
  open: { bytes: 32 * 1024, values: 2_000 },
  usual: { bytes: 64 * 1024, values: 5_000 },
  files: { bytes: 2 * 1024 * 1024, values: 100 },
  batch: { bytes: 8 * 1024 * 1024, values: 150_000 },
} as const satisfies Readonly<Record<string, BodySize>>

/** How large a body of a route may be. */
export const bodySizeOf = ({ access, takesBatch, takesFiles }: Route): BodySize => {
  if (takesBatch === true) return BODY_SIZES.batch
  if (takesFiles === true) return BODY_SIZES.files
  return access === 'open' ? BODY_SIZES.open : BODY_SIZES.usual
}
