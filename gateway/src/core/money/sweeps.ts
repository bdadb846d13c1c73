import type { Core } from '../core.ts'
import type { Sweep } from '../sweep.ts'
import { foldSweep } from './folding.ts'
import { reserveSweep } from './reserve/index.ts'

/** Scheduled work on money that belongs to no feature. */
export const moneySweeps = (core: Core): readonly Sweep[] => [foldSweep(core), reserveSweep(core)]
