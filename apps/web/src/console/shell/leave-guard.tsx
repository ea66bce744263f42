import { Text } from '@mantine/core'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { AroundNavHandler } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { texts } from '../../text/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'

/** The path of a page with unsaved changes, within which people can move freely. */
type Guarded = string | undefined

const GuardContext = createContext<(path: Guarded) => void>(() => undefined)

/** While `isUnsaved`, asks before `path` and its tabs are left. */
export function useLeaveGuard(path: string, isUnsaved: boolean): void {
  const setGuarded = useContext(GuardContext)
  useEffect(() => {
    setGuarded(isUnsaved ? path : undefined)
    return () => setGuarded(undefined)
  }, [setGuarded, path, isUnsaved])
}

/** The page itself or one of its tabs; anything deeper is another page. */
const isWithin = (address: string, path: string): boolean => {
  const { pathname } = new URL(address, location.href)
  return pathname.startsWith(path) && /^(?:\/[^/]*)?$/.test(pathname.slice(path.length))
}

/** Asks before a link, the back button, a reload or closing the tab loses unsaved changes. */
export function LeaveGuard({ children }: { children: (aroundNav: AroundNavHandler) => ReactNode }) {
  const text = texts().leaveGuard
  const [guarded, setGuarded] = useState<Guarded>()
  const [wanted, setWanted] = useState<string>()
  const aroundNav: AroundNavHandler = useCallback(
    (go, to, options) => (guarded === undefined || isWithin(to, guarded) ? go(to, options) : setWanted(to)),
    [guarded],
  )
  useBackGuard(guarded, setWanted)
  useUnloadGuard(guarded)
  const leave = () => {
    if (wanted === undefined) return
    setGuarded(undefined)
    setWanted(undefined)
    navigate(wanted)
  }
  return (
    <GuardContext value={setGuarded}>
      {useMemo(() => children(aroundNav), [children, aroundNav])}
      <ConfirmDialog
        isOpen={wanted !== undefined}
        title={text.title}
        confirmLabel={text.leave}
        cancelLabel={text.stay}
        isDangerous
        onConfirm={leave}
        onCancel={() => setWanted(undefined)}
      >
        <Text>{text.message}</Text>
      </ConfirmDialog>
    </GuardContext>
  )
}

/**
 * The browser has already gone back when `popstate` fires, so the address is restored before the router sees the event.
 * Listeners on the window run in the order in which they were added: a layout effect adds this one before the
 * router’s, once and for all.
 */
function useBackGuard(guarded: Guarded, ask: (address: string) => void): void {
  const here = useRef<{ path: string; address: string }>(undefined)
  useLayoutEffect(() => {
    here.current = guarded === undefined ? undefined : { path: guarded, address: location.href }
  }, [guarded])
  useLayoutEffect(() => {
    const onMove = () => {
      if (here.current) here.current.address = location.href
    }
    const onBack = (event: PopStateEvent) => {
      const address = location.href
      if (!here.current || isWithin(address, here.current.path)) return onMove()
      event.stopImmediatePropagation()
      history.pushState(null, '', here.current.address)
      ask(address)
    }
    addEventListener('popstate', onBack)
    // The router fires these when it moves from one tab of the page to another.
    for (const kind of ['pushState', 'replaceState']) addEventListener(kind, onMove)
    return () => {
      removeEventListener('popstate', onBack)
      for (const kind of ['pushState', 'replaceState']) removeEventListener(kind, onMove)
    }
  }, [ask])
}

function useUnloadGuard(guarded: Guarded): void {
  useEffect(() => {
    if (guarded === undefined) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    return () => removeEventListener('beforeunload', onUnload)
  }, [guarded])
}
