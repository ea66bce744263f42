import { Button, Menu, Text } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { useSession } from '../session/session.ts'
import { PersonIcon } from './icons.tsx'

export function AccountMenu() {
  const text = texts().shell
  const { name, chosenRole, signOut } = useSession()
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          px="sm"
          leftSection={<PersonIcon />}
          aria-label={text.accountOf(name)}
        >
          <Text span truncate maw={{ base: 80, xs: 180 }} size="sm">
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {chosenRole === undefined
            ? text.signedIn
            : text.signedInAs[chosenRole === 'admin' ? 'admin' : 'researcher']}
        </Menu.Label>
        {signOut ? (
          <Menu.Item onClick={signOut}>{text.signOut}</Menu.Item>
        ) : (
          <Menu.Item disabled>{text.signOutAtProvider}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
