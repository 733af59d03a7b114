import { Tabs } from "radix-ui";
import { show, useRecords } from "./shared/react.jsx";

function Staff() {
  return (
    <ul>
      {useRecords("/data/people?limit=25").map(({ id, name, office }) => (
        <li key={id}>
          <b>{name}</b> <i>{office}</i>
        </li>
      ))}
    </ul>
  );
}

show(() => (
  <Tabs.Root defaultValue="account">
    <Tabs.List aria-label="Manage your account">
      <Tabs.Trigger value="account">Account</Tabs.Trigger>
      <Tabs.Trigger value="staff">Staff</Tabs.Trigger>
    </Tabs.List>
    <Tabs.Content value="account">
      <ul>
        <li>Nothing to see</li>
      </ul>
    </Tabs.Content>
    <Tabs.Content value="staff">
      <Staff />
    </Tabs.Content>
  </Tabs.Root>
));
