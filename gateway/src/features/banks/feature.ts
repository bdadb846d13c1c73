import type { Feature } from '../../core/feature.ts'
import { bankRoutes } from './routes.ts'

/** The list of banks. */
export const bankFeature = {
  open: () => ({ routes: bankRoutes }),
} satisfies Feature
