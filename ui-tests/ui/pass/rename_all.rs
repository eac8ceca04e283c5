use oplock::{Op, Var, op};

macro_rules! renamed {
    ($($ident:ident $name:literal $rule:literal => $input:literal $attr:literal;)*) => {
        $(
            #[op($name, rename_all = $rule, unlocked)]
            pub struct $ident {
                #[input]
                pub ends_tensor_list: Var,
                #[attr(default = 1)]
                pub axis: i32,
                #[attr(name = "as_it_is", default = 1)]
                pub named: i32,
            }
        )*

        fn main() {
            $(
                assert_eq!($ident::def().inputs[0].name, $input);
                assert_eq!($ident::def().attrs[0].name, $attr);
                assert_eq!($ident::def().attrs[1].name, "as_it_is");
            )*
        }
    };
}

renamed! {
    Lower "lower" "lowercase" => "ends_tensor_list" "axis";
    Upper "upper" "UPPERCASE" => "ENDS_TENSOR_LIST" "AXIS";
    Pascal "pascal" "PascalCase" => "EndsTensorList" "Axis";
    Camel "camel" "camelCase" => "endsTensorList" "axis";
    Snake "snake" "snake_case" => "ends_tensor_list" "axis";
    ScreamingSnake "screaming_snake" "SCREAMING_SNAKE_CASE" => "ENDS_TENSOR_LIST" "AXIS";
    Kebab "kebab" "kebab-case" => "ends-tensor-list" "axis";
    ScreamingKebab "screaming_kebab" "SCREAMING-KEBAB-CASE" => "ENDS-TENSOR-LIST" "AXIS";
}
