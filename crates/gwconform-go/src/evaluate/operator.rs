use super::Context;
use crate::Result;
use crate::parse::MAX_TEXT;
use crate::program::Program;
use crate::syntax::Node;
use crate::value::Value;

impl Program<'_> {
    pub(super) fn operators(
        &self,
        context: &Context,
        node: &Node,
        first: &Node,
        rest: &[(&'static str, Node)],
    ) -> Result<Value> {
        let mut value = self.evaluate(context, first)?;
        for (operator, operand) in rest {
            value = match (*operator, &value) {
                ("&&", Value::Bool(false)) | ("||", Value::Bool(true)) => value,
                _ => {
                    let right = self.evaluate(context, operand)?;
                    self.operate(context, node, &value, operator, &right)?
                }
            };
        }
        Ok(value)
    }

    pub(super) fn operate(
        &self,
        context: &Context,
        node: &Node,
        left: &Value,
        operator: &str,
        right: &Value,
    ) -> Result<Value> {
        let not_understood = || {
            let reason = format!(
                "`{operator}` of {} and {} is not supported",
                left.described(),
                right.described()
            );
            context.error(node, reason)
        };
        if matches!(operator, "==" | "!=") {
            let heap = self.heap.borrow();
            let (left, right) = (heap.key(left), heap.key(right));
            let (left, right) = left.zip(right).ok_or_else(not_understood)?;
            return Ok(Value::Bool((left == right) == (operator == "==")));
        }
        match (left, right) {
            (Value::Bool(left), Value::Bool(right)) => match operator {
                "&&" => Ok(Value::Bool(*left && *right)),
                "||" => Ok(Value::Bool(*left || *right)),
                _ => Err(not_understood()),
            },
            (Value::Text(left), Value::Text(right)) => match operator {
                "+" => {
                    let length = left.len() + right.len();
                    self.step(length / 64)?;
                    if length > MAX_TEXT {
                        return Err(
                            context.error(node, format!("a text longer than {MAX_TEXT} bytes"))
                        );
                    }
                    Ok(Value::text(format!("{left}{right}")))
                }
                _ => compared(operator, left.cmp(right)).ok_or_else(not_understood),
            },
            (Value::Integer(left), Value::Integer(right)) => {
                let number = calculated(operator, *left, *right).map(Value::Integer);
                let found = number.or_else(|| compared(operator, left.cmp(right)));
                found.ok_or_else(not_understood)
            }
            _ => Err(not_understood()),
        }
    }
}

fn compared(operator: &str, order: std::cmp::Ordering) -> Option<Value> {
    Some(Value::Bool(match operator {
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        _ => return None,
    }))
}

fn calculated(operator: &str, left: i128, right: i128) -> Option<i128> {
    let shift = u32::try_from(right).ok().filter(|shift| *shift < 64);
    let value = match operator {
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        "&" => left & right,
        "|" => left | right,
        "^" => left ^ right,
        "&^" => left & !right,
        "<<" => left.checked_mul(1_i128 << shift?)?,
        ">>" => left >> shift?,
        _ => return None,
    };
    // Real programs do not use larger values.
    (value.unsigned_abs() < 1 << 100).then_some(value)
}
