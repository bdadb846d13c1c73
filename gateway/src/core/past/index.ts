export { beginHistory, type History, readHistory, setDone } from './history.ts'
export { openPast, type Past, type PastOptions } from './past.ts'
