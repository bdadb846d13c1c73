import type { Language } from '../language.ts'
import { type DocumentTexts, en, enDocuments, type Messages } from './en.ts'
import { ha, haDocuments } from './ha.ts'
import { ig, igDocuments } from './ig.ts'
import { pcm, pcmDocuments } from './pcm.ts'
import { yo, yoDocuments } from './yo.ts'

/** Every language's texts, for pages rendered by the gateway. A browser loads one language only. */
export const MESSAGES: Readonly<Record<Language, Messages>> = { en, pcm, ha, yo, ig }

/** Further texts of receipts, invoices, mandates, error pages and emails. */
export const DOCUMENT_TEXTS: Readonly<Record<Language, DocumentTexts>> = {
  en: enDocuments,
  pcm: pcmDocuments,
  ha: haDocuments,
  yo: yoDocuments,
  ig: igDocuments,
}
