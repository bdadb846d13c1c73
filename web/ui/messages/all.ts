import type { Language } from '../language.ts'
import { en, type Messages } from './en.ts'
import { ha } from './ha.ts'
import { ig } from './ig.ts'
import { pcm } from './pcm.ts'
import { yo } from './yo.ts'

/** The words of every language: for the gateway, which writes pages in all of them. A browser is given those of one. */
export const MESSAGES: Readonly<Record<Language, Messages>> = { en, pcm, ha, yo, ig }
