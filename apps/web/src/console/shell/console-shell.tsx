import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  NavLink,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { texts } from '../../text/console.ts'
import { useUploadedShare } from '../media/uploads/uploads-context.tsx'
import { useSession } from '../session/session.ts'
import { AccountMenu } from './account-menu.tsx'
import { MoonIcon, SunIcon } from './icons.tsx'

const pages = [
  {
    path: '/',
    name: 'experiments',
    isHere: (at: string) => at === '/' || at.startsWith('/experiments'),
  },
  { path: '/new', name: 'newExperiment', isHere: (at: string) => at === '/new' },
  { path: '/media', name: 'media', isHere: (at: string) => at.startsWith('/media') },
  { path: '/agents', name: 'agents', isHere: (at: string) => at === '/agents' },
  { path: '/keys', name: 'keys', isHere: (at: string) => at === '/keys' },
  { path: '/audit', name: 'audit', isHere: (at: string) => at === '/audit' },
  { path: '/system', name: 'system', isHere: (at: string) => at === '/system' },
] as const

export function ConsoleShell({ children }: { children: ReactNode }) {
  const text = texts().shell
  const [isOpen, { toggle, close }] = useDisclosure()
  return (
    <>
      <a className="skip-link" href="#page">
        {text.skip}
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 210, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
        padding="md"
      >
        <AppShell.Header>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger
                opened={isOpen}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={isOpen ? text.closeMenu : text.openMenu}
                aria-expanded={isOpen}
              />
              <img src="/icon.svg" alt="" width={26} height={26} />
              <Text fw={650} component="span">
                {text.product}
              </Text>
            </Group>
            <Group gap="xs" wrap="nowrap">
              <ColourSchemeSwitch />
              <AccountMenu />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" aria-label={text.navigation}>
          <Navigation onChoose={close} />
        </AppShell.Navbar>
        <AppShell.Main id="page" tabIndex={-1}>
          {children}
        </AppShell.Main>
      </AppShell>
    </>
  )
}

function Navigation({ onChoose }: { onChoose: () => void }) {
  const [at] = useLocation()
  const { chosenRole } = useSession()
  // With a provider only the platform knows who is an administrator, and refuses everybody else.
  const isHidden = (name: string) => name === 'audit' && chosenRole !== undefined && chosenRole !== 'admin'
  const shown = pages.filter(({ name }) => !isHidden(name))
  return (
    <>
      {shown.map(({ path, name, isHere }) => (
        <NavLink
          key={path}
          component={Link}
          href={path}
          label={texts().shell[name]}
          active={isHere(at)}
          rightSection={name === 'media' && <UploadedShare />}
          onClick={onChoose}
          {...(isHere(at) && { 'aria-current': 'page' as const })}
        />
      ))}
      <NavLink
        href="/api/docs"
        label={texts().shell.apiReference}
        target="_blank"
        rightSection={<span aria-hidden>↗</span>}
      />
    </>
  )
}

/** On every page: uploads go on while other pages are visited. */
function UploadedShare() {
  const { format, mediaUploads } = texts()
  const share = useUploadedShare()
  if (share === undefined) return null
  const text = format.share(Math.floor(share * 100), 100)
  return (
    <Text span size="xs" className="figure" title={mediaUploads.underWay(text)}>
      {text}
    </Text>
  )
}

function ColourSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const present = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const other = present === 'light' ? 'dark' : 'light'
  const label = other === 'dark' ? texts().shell.useDark : texts().shell.useLight
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" aria-label={label} onClick={() => setColorScheme(other)}>
        {other === 'dark' ? <MoonIcon /> : <SunIcon />}
      </ActionIcon>
    </Tooltip>
  )
}
