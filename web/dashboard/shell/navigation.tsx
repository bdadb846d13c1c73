import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Me } from '../api/call.ts'
import { useStored } from '../parts/list/stored.ts'
import { SCREENS } from '../screens.ts'
import { isVisibleTo, type Screen } from './screen.ts'

interface NavigationProps {
  readonly me: Me
  readonly screen: Screen | undefined
  /** Whether it is open on a phone; a desktop always shows it. */
  readonly isOpen: boolean
  /** Shown below the screens. */
  readonly children: ComponentChildren
}

/** The screens that this user may see. All groups but the main one can be folded; the current screen's is always open. */
export function Navigation({ me, screen, isOpen, children }: NavigationProps): JSX.Element {
  const menu = useRef<HTMLElement>(null)
  const [opened, setOpened] = useStored<readonly string[]>(me, 'menu', [])
  const shown = SCREENS.filter((one) => one.group !== undefined && isVisibleTo(one, me))
  const groups = [...new Set(shown.map(({ group }) => group ?? ''))]
  const currentName = screen?.parent ?? screen?.name
  const current = shown.find(({ name }) => name === currentName)
  // Folding a single group would hide all there is.
  const isFoldable = groups.filter((group) => group !== 'Main').length > 1
  useEffect(() => {
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [currentName, isOpen])
  return (
    <nav ref={menu} class={isOpen ? 'navigation open' : 'navigation'} id="navigation" aria-label="Screens">
      {groups.map((group) => {
        const isFixed = !isFoldable || group === current?.group
        return (
          <Group
            key={group}
            title={group}
            screens={shown.filter((one) => one.group === group)}
            current={current}
            isExact={screen?.parent === undefined}
            isOpen={group === 'Main' || isFixed || opened.includes(group)}
            toggle={
              isFixed
                ? undefined
                : () => setOpened(opened.includes(group) ? opened.filter((one) => one !== group) : [...opened, group])
            }
          />
        )
      })}
      {children}
    </nav>
  )
}

interface GroupProps {
  readonly title: string
  readonly screens: readonly Screen[]
  readonly current: Screen | undefined
  /** Whether the current entry is the screen itself, not the one that it is part of. */
  readonly isExact: boolean
  readonly isOpen: boolean
  /** Opens or folds the group, if that is possible now. */
  readonly toggle: (() => void) | undefined
}

function Group({ title, screens, current, isExact, isOpen, toggle }: GroupProps): JSX.Element {
  const id = `menu-${title}`
  return (
    <div class="group">
      {title !== 'Main' && (
        <h2>
          {toggle === undefined ? (
            title
          ) : (
            <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
              {title}
            </button>
          )}
        </h2>
      )}
      <ul id={id} hidden={!isOpen}>
        {screens.map((one) => (
          <li key={one.name}>
            <a
              href={`/dashboard${one.name === '' ? '' : `/${one.name}`}`}
              aria-current={one !== current ? undefined : isExact ? 'page' : 'true'}
            >
              {one.title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
