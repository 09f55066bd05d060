/** The output of `cartwright` without a command: the first commands to use, on one screen. */
export const firstHelp = `Cartwright turns dealers' purchase files into orders at a dealer order service:
exactly one order per purchase order.

To try it:
  cartwright demo                         see sample files become orders
  cartwright init                         write a first configuration
  cartwright up --sandbox                 try your own files, without a service

To run it:
  cartwright doctor                       check the installation
  cartwright up                           watch inboxes, place orders, report

To look after it:
  cartwright status                       what needs a person, and what runs
  cartwright status 4500081               show everything about one PO
  cartwright import --dry-run orders.csv  show what would be ordered

All commands: cartwright --help    One command: cartwright COMMAND --help
`;
