import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { TurningIcon } from '../../ui/icons.tsx'
import { type Errors, errorsOf, type Fields, FORM_ERROR, readFields } from './form-values.ts'

export type { Fields }

/** The errors of the form around a field, by field name. */
const FieldErrors = createContext<Errors>({})

/** The attributes that tie a control to its label, hint and error. */
export interface ControlProps {
  readonly id: string
  readonly name: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

interface LabelledProps {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly children: (control: ControlProps) => JSX.Element
}

/** A control with its label, its hint and the error that the form has for it. */
export function Labelled({ name, label, hint, children }: LabelledProps): JSX.Element {
  const id = useId()
  const error = useContext(FieldErrors)[name]
  const describedBy = [...(error === undefined ? [] : [`${id}-error`]), ...(hint === undefined ? [] : [`${id}-hint`])]
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': describedBy.length === 0 ? undefined : describedBy.join(' '),
      })}
      {error !== undefined && (
        <p class="wrong" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface FieldProps {
  readonly name: string
  readonly label: string
  /** An amount may be typed with commas, spaces and ₦; the form passes it on as 1234.50. */
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'amount'
  readonly hint?: string | undefined
  readonly value?: string
  readonly autocomplete?:
    | 'username'
    | 'email'
    | 'name'
    | 'organization'
    | 'current-password'
    | 'new-password'
    | 'one-time-code'
  readonly inputMode?: 'numeric' | 'email' | 'decimal'
  readonly autofocus?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly max?: string
  readonly isOptional?: boolean
  readonly readOnly?: boolean
}

const AMOUNT = { type: 'text', inputMode: 'decimal', autocomplete: 'off', 'data-amount': '' } as const

/** A labelled form field. */
export function Field({
  name,
  label,
  type = 'text',
  hint,
  value,
  isOptional = false,
  autofocus = false,
  ...rest
}: FieldProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  // The attribute works when a page loads or a dialog opens. Elsewhere we set the focus, before the first key.
  useLayoutEffect(() => {
    if (autofocus) input.current?.focus()
  }, [autofocus])
  return (
    <Labelled name={name} label={label} hint={hint}>
      {(control) => (
        <input
          ref={input}
          {...control}
          // Preact types each input type separately; our props suit them all.
          {...((type === 'amount' ? AMOUNT : { type }) as { readonly type: 'text' })}
          defaultValue={value ?? ''}
          required={!isOptional}
          autofocus={autofocus}
          {...rest}
        />
      )}
    </Labelled>
  )
}

interface ChoiceFieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly choices: readonly (readonly [value: string, title: string])[]
  readonly value?: string | undefined
  readonly isOptional?: boolean
}

/** A labelled select. */
export const ChoiceField = ({
  name,
  label,
  hint,
  choices,
  value,
  isOptional = false,
}: ChoiceFieldProps): JSX.Element => (
  <Labelled name={name} label={label} hint={hint}>
    {(control) => (
      <select {...control} required={!isOptional}>
        {choices.map(([one, title]) => (
          <option key={one} value={one} selected={one === value}>
            {title}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)

interface FormProps {
  /** Submits the form; returns an error message if that failed. */
  readonly act: (fields: Fields) => Promise<string | undefined>
  readonly submit: string
  readonly cancel?: () => void
  /** The button that closes the form without submitting it; "Cancel" by default. */
  readonly dismiss?: string | undefined
  readonly isDanger?: boolean
  readonly children: ComponentChildren
}

/** A form that submits once at a time and shows each error at its field. */
export function Form({ act, submit, cancel, dismiss = 'Cancel', isDanger = false, children }: FormProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  const send = async (sent: HTMLFormElement): Promise<void> => {
    setBusy(true)
    const { fields, errors: unreadable } = readFields(sent)
    const found = Object.keys(unreadable).length > 0 ? unreadable : errorsOf(await act(fields), sent)
    setBusy(false)
    setErrors(found)
  }
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [errors])
  const problem = errors[FORM_ERROR]
  return (
    <form
      class="stack"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void send(event.currentTarget)
      }}
    >
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
      <FieldErrors.Provider value={errors}>{children}</FieldErrors.Provider>
      <div class="buttons beside">
        {cancel !== undefined && (
          <button class="button plain" type="button" onClick={cancel}>
            {dismiss}
          </button>
        )}
        <button class={isDanger ? 'button danger' : 'button'} type="submit" aria-disabled={isBusy}>
          {isBusy && <TurningIcon />}
          {submit}
        </button>
      </div>
    </form>
  )
}

interface TextAreaProps {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly value: string
}

/** A labelled multi-line field. */
export const TextArea = ({ name, label, hint, value }: TextAreaProps): JSX.Element => (
  <Labelled name={name} label={label} hint={hint}>
    {(control) => <textarea {...control} rows={5} spellcheck={false} defaultValue={value} />}
  </Labelled>
)
