import { PASSWORD_LENGTH_MIN } from '@kobo/contract'
import { signInErrors } from './errors.ts'

/** Words that common passwords are made of. Digits, signs and repetitions around them add nothing. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  `abcd abcdef abcdefgh abcdefghijkl access admin administrator adebayo africa ahmed alexander allah amazing america
  andrew angel arsenal asdf asdfgh asdfghjkl asdfghjklqwertyuiop ashley babygirl barcelona baseball basketball batman
  beautiful because blessed blessing buster butterfly changeme changemenow charlie chelsea chelseafc chidinma chinedu
  chocolate chukwu company computer correcthorsebatterystaple cowboy dashboard default diamond dragon emmanuel enugu
  facebook family favour flower football freedom friend friends fuckyou gateway george ginger godisgood godislove
  goodluck goodmorning grace guest hallelujah happiness hello helloworld hunter ibadan iloveyou iloveyousomuch
  incorrect internet jennifer jesus jesuschrist jesusislord jordan joseph kaduna kobo kobodashboard lagos letmein
  letmeinplease liverpool liverpoolfc login love lovely lovers manager manchester manchesterunited master matrix
  merchant michael microsoft monday money monkey mother mustang mypassword naija naira nicole nigeria nigerian nothing
  number operator passphrase passw passwd password passwordpassword pass payment payments peace pepper precious princess
  qazwsx qazwsxedc qazwsxedcrfv qwer qwerasdf qwerty qwertyqwerty qwertyuiop qwertyuiopasdfghjkl qwertyuiopasdf richard
  robert sample samuel secret secretpassword security server shadow shalom snoopy soccer starwars success summer sunday
  sunshine superman supersecret system teacher test testing testtest thankyou thankyoujesus thomas trustno trustnoone
  victory welcome welcomewelcome whatever william winner winter wizard yankees zxcvbn zxcvbnm zxcvbnmasdfghjkl`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
/** The letters that these signs usually stand for. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
}
const DIFFERENT_MIN = 5
const RUNS = ['0123456789', '9876543210', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const LONG_RUN_LENGTH = 8

/** Rejects a new password that is too short, or among the first that an attacker tries. */
export function checkNewPassword(password: string, email: string): void {
  if (password.length < PASSWORD_LENGTH_MIN)
    throw signInErrors.weakPassword(`it needs at least ${PASSWORD_LENGTH_MIN} characters`)
  const plain = password.normalize('NFKC').toLowerCase()
  const [mailbox = ''] = email.toLowerCase().split('@')
  if (mailbox.length > 3 && plain.includes(mailbox)) throw signInErrors.weakPassword('it contains your email address')
  if (new Set(plain).size < DIFFERENT_MIN || hasLongRun(plain) || isCommon(plain))
    throw signInErrors.weakPassword('it is too common')
}

/** Whether a password contains eight characters in the order of the keyboard or the alphabet. */
const hasLongRun = (plain: string): boolean =>
  RUNS.some((run) =>
    Array.from({ length: Math.max(0, run.length - LONG_RUN_LENGTH + 1) }, (_, from) =>
      run.slice(from, from + LONG_RUN_LENGTH),
    ).some((part) => plain.includes(part)),
  )

/** Whether a password is just a common word between digits and signs, possibly with signs in place of letters. */
function isCommon(plain: string): boolean {
  const core = plain.replace(/^\P{L}+|\P{L}+$/gu, '')
  const spelled = [...core].map((sign) => LOOKALIKES[sign] ?? sign).join('')
  return [core, spelled].some((text) => {
    const words = text
      .replace(/[^\p{L}\s]/gu, '')
      .split(/\s+/)
      .filter((word) => word !== '')
    return words.length === 0 || isRepeated(words.join(''))
  })
}

/** Whether a text is a common word, once or several times in a row. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= text.length; length++) {
    const part = text.slice(0, length)
    if (text.length % length === 0 && part.repeat(text.length / length) === text && COMMON_WORDS.has(part)) return true
  }
  return false
}
