export const SCENARIO = `name: The body in Electrical
call: { by: red, report: pink, place: Electrical }
seats:
  - colour: red
  - colour: blue
    role: impostor
  - colour: green
  - { colour: pink, dead: true }
  - colour: orange
`;
