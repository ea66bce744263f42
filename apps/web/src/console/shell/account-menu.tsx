import { Button, Menu, Text } from '@mantine/core'
import { useSession } from '../session/session.ts'
import { PersonIcon } from './icons.tsx'

export function AccountMenu() {
  const { name, chosenRole, signOut } = useSession()
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          px="sm"
          leftSection={<PersonIcon />}
          aria-label={`Account of ${name}`}
        >
          <Text span truncate maw={{ base: 80, xs: 180 }} size="sm">
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {chosenRole === undefined
            ? 'Signed in'
            : `Signed in as ${chosenRole === 'admin' ? 'administrator' : 'researcher'}`}
        </Menu.Label>
        {signOut ? (
          <Menu.Item onClick={signOut}>Sign out</Menu.Item>
        ) : (
          <Menu.Item disabled>Sign out at your identity provider</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
