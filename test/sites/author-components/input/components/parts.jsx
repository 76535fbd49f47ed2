export const Badge3 = ({ label }) => <em>{label.toUpperCase()}</em>;
export const List = ({ items }) => <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>;
