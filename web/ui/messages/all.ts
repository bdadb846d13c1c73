import type { Language } from '../language.ts'
import { en, enPapers, type Messages, type Papers } from './en.ts'
import { ha, haPapers } from './ha.ts'
import { ig, igPapers } from './ig.ts'
import { pcm, pcmPapers } from './pcm.ts'
import { yo, yoPapers } from './yo.ts'

/** The words of every language: for the gateway, which writes pages in all of them. A browser is given those of one. */
export const MESSAGES: Readonly<Record<Language, Messages>> = { en, pcm, ha, yo, ig }

/** What stands on papers and in mails beyond that, in every language. */
export const PAPERS: Readonly<Record<Language, Papers>> = {
  en: enPapers,
  pcm: pcmPapers,
  ha: haPapers,
  yo: yoPapers,
  ig: igPapers,
}
