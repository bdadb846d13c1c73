export { checkMonth, checkMonths, monthsIn, readMonthManifest } from './files.ts'
export { FOUND_MAX, type FoundRow, findInArchive } from './find.ts'
export { type WrittenArchive, writeArchive } from './write.ts'
