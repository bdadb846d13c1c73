export { dashboardFeature } from './feature.ts'
export { deleteSums } from './repository.ts'
export { sumUpNow } from './sweeps.ts'
export { collectedSince, collectedToday } from './totals.ts'
