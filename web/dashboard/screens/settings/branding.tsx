import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { LoadedSettings, MerchantSettings } from '../../api/use-settings.ts'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Field, type Fields, Form } from '../../parts/form.tsx'

const LOGO_BYTES_MAX = 32_768
const SAVED = 'Branding saved.'

interface Props extends Pick<LoadedSettings, 'change'> {
  readonly settings: MerchantSettings
  readonly mayChange: boolean
}

/** The merchant's branding on customers' pages: logo, header colour and support contact. */
export function Branding({ settings, change, mayChange }: Props): JSX.Element {
  const { brandColour, supportContact, logo } = settings
  const save = (fields: Fields): Promise<string | undefined> =>
    change(
      {
        brandColour: fields['brandColour']?.toLowerCase() || null,
        supportContact: fields['supportContact'] || null,
      },
      SAVED,
    )
  return (
    <section class="panel stack" aria-labelledby="branding">
      <h2 id="branding">Checkout branding</h2>
      {logo !== null && <img src={logo} alt="Your logo" width="72" height="72" />}
      {mayChange ? (
        <>
          <LogoField hasLogo={logo !== null} change={change} />
          <Form act={save} submit="Save branding" key={`${brandColour} ${supportContact}`}>
            <Field
              name="brandColour"
              label="Header colour"
              hint="E.g. #0c3b2a. It must be dark enough for white text. Leave empty for the default."
              value={brandColour ?? ''}
              isOptional
            />
            <Field
              name="supportContact"
              label="Support contact"
              hint="An email address or phone number that customers see."
              value={supportContact ?? ''}
              isOptional
            />
          </Form>
        </>
      ) : (
        <p>{supportContact ?? 'No support contact.'}</p>
      )}
    </section>
  )
}

/** A file as a data URL. */
const readFile = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

function LogoField({ hasLogo, change }: Pick<Props, 'change'> & { readonly hasLogo: boolean }): JSX.Element {
  const id = useId()
  const [problem, setProblem] = useState<string>()
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > LOGO_BYTES_MAX) return setProblem('This file is larger than 32 kB. Choose a smaller one.')
    setProblem(await change({ logo: await readFile(file) }, SAVED))
  }
  return (
    <div class="field">
      <label for={id}>Logo</label>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby={`${id}-hint`}
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      <p class="hint" id={`${id}-hint`}>
        PNG, JPEG or WebP, square, at most 32 kB.
      </p>
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {hasLogo && (
        <ConfirmButton
          look="link"
          label="Remove logo"
          title="Remove your logo?"
          text="Your customers no longer see it."
          confirm="Remove"
          act={() => void change({ logo: null }, 'Logo removed.')}
        />
      )}
    </div>
  )
}
