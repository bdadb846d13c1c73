import type { Core } from '../core.ts'
import type { Sweep } from '../sweep.ts'
import { foldSweep } from './folding.ts'
import { reserveSweep } from './reserve/index.ts'

/** What is done to money as time passes, of what is no feature's own. */
export const moneySweeps = (core: Core): readonly Sweep[] => [foldSweep(core), reserveSweep(core)]
