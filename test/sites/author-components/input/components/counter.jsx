export const Counter = ({ start }) => {
  const [count, setCount] = useState(start);
  return <button onClick={() => setCount(count + 1)}>Clicked {count}</button>;
};
