import { chooseLanguage, type Language } from '../ui/language.ts'

/** The texts that the customer sees while the checkout opens, or if it cannot open. */
interface Words {
  readonly opening: string
  readonly unreached: string
  /** The order is paid or expired. */
  readonly over: string
  /** Any other error; the shop's developer gets the details by `onError`. */
  readonly refused: string
  readonly close: string
}

/** All but the first two languages need a native speaker's review. */
const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    opening: 'Opening the checkout …',
    unreached: 'The checkout could not be reached. Check your connection and try again.',
    over: 'This order is already paid, or has expired. Please ask the shop.',
    refused: 'The checkout could not be opened. Nothing was paid. Please contact the shop.',
    close: 'Close',
  },
  pcm: {
    opening: 'We dey open the checkout …',
    unreached: 'We no fit reach the checkout. Check your network, then try again.',
    over: 'Dem don already pay this order, or time don finish. Abeg ask the shop.',
    refused: 'The checkout no gree open. You never pay anything. Abeg tell the shop.',
    close: 'Close am',
  },
  ha: {
    opening: 'Ana buɗe wurin biya …',
    unreached: 'Ba a iya isa wurin biya ba. Duba intanet ɗinka, ka sake gwadawa.',
    over: 'An riga an biya wannan oda, ko lokacinta ya wuce. Ka tambayi shagon.',
    refused: 'Ba a iya buɗe wurin biya ba. Ba a biya komai ba. Ka gaya wa shagon.',
    close: 'Rufe',
  },
  yo: {
    opening: 'A ń ṣí ibi ìsanwó …',
    unreached: 'A kò lè dé ibi ìsanwó. Ṣàyẹ̀wò íńtánẹ́ẹ̀tì rẹ, kí o sì gbìyànjú lẹ́ẹ̀kan sí i.',
    over: 'A ti san owó ọjà yìí, tàbí àkókò rẹ̀ ti kọjá. Jọ̀wọ́ béèrè lọ́wọ́ ilé ìtajà.',
    refused: 'Ibi ìsanwó kò ṣí. A kò san nǹkan kan. Jọ̀wọ́ sọ fún ilé ìtajà.',
    close: 'Pa á dé',
  },
  ig: {
    opening: 'A na-emepe ebe ịkwụ ụgwọ …',
    unreached: 'A pụghị iru ebe ịkwụ ụgwọ. Lelee ịntanetị gị, nwaa ọzọ.',
    over: 'Akwụọlarị ụgwọ ọda a, ma ọ bụ oge ya agafeela. Biko jụọ ụlọ ahịa ahụ.',
    refused: 'Ebe ịkwụ ụgwọ emepeghị. Akwụghị ihe ọ bụla. Biko gwa ụlọ ahịa ahụ.',
    close: 'Mechie',
  },
}

/** Returns the texts in the given language, else in the browser's. */
export const wordsIn = (language: string | undefined): Words =>
  WORDS[chooseLanguage({ query: language, cookie: undefined, accepted: navigator.languages.join(',') })]
