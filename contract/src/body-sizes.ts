import type { Route } from './route.ts'

/** The limits of a request body: its bytes, and the number of values in it (nested ones included). */
export interface BodySize {
  readonly bytes: number
  readonly values: number
}

/** Unauthenticated requests get the smallest limit; only files and batches get large ones. */
export const BODY_SIZES = {
  open: { bytes: 32 * 1024, values: 2_000 },
  usual: { bytes: 64 * 1024, values: 5_000 },
  files: { bytes: 2 * 1024 * 1024, values: 100 },
  batch: { bytes: 8 * 1024 * 1024, values: 150_000 },
} as const satisfies Readonly<Record<string, BodySize>>

export const bodySizeOf = ({ access, takesBatch, takesFiles }: Route): BodySize => {
  if (takesBatch === true) return BODY_SIZES.batch
  if (takesFiles === true) return BODY_SIZES.files
  return access === 'open' ? BODY_SIZES.open : BODY_SIZES.usual
}
