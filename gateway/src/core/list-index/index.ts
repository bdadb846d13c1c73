export { forgetMarks } from './marks.ts'
export { selectLongPage } from './pages.ts'
export { countOfStatus } from './statuses.ts'
export { markSweep } from './sweep.ts'
